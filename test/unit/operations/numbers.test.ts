import { readField } from '../../../nodes/Supercast/operations/validation';
import { numberField } from '../../../nodes/Supercast/operations/properties';

const percent = numberField('percentOff', 'Percent Off', {
	typeOptions: { minValue: 1, maxValue: 100 },
});
const read = (value: unknown) => readField(percent, value, {} as never);

it.each([25, '25', ' 25 '])('reads %j in a number field as a number', (value) => {
	expect(read(value)).toBe(25);
});

it.each([0, 101, 'abc', true, NaN])('refuses %j in a field from 1 to 100', (value) => {
	expect(() => read(value)).toThrow("'Percent Off' must be a number from 1 to 100");
});
