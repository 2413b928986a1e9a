import { testFaults, useFaultySandbox } from '../../support/faultMatrix';

testFaults(useFaultySandbox(), ['read', 'list']);
