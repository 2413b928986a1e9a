import { testFaults, useFaultySandbox } from '../../support/faultMatrix';

testFaults(useFaultySandbox(), ['upsert']);
