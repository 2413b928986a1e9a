import { checkEmail } from '../../operations/bodyFields';
import { updateOperation } from '../../operations/update';
import { creatorEmail, creatorFields, creators } from './creator';

/** Changes one creator. */
export const update = updateOperation(creators, {
	action: 'Update a creator',
	description: 'Change the name, email or password of a creator',
	fields: [{ ...creatorEmail, required: false }, ...creatorFields],
	prepare: checkEmail,
});
