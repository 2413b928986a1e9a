import { testFaults, useFaultySandbox } from '../../support/faultMatrix';

testFaults(useFaultySandbox(), ['change', 'suspend']);
