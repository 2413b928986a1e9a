// Returns the subscribers whose feeds closed `daysClosed` days ago, so that each gets one email.
const { daysClosed } = $('Settings').first().json;
const day = 24 * 60 * 60 * 1000;
const age = (at) => Math.floor((Date.now() - Date.parse(at)) / day);
return $input.all().filter(({ json }) => age(json.updated_at) === Number(daysClosed));
