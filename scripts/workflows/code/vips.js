// Returns the subscribers in `vips` who still raise alerts.
const { vips } = $('Settings').first().json;
const wanted = new Set(
	String(vips)
		.toLowerCase()
		.split(/[\s,]+/)
		.filter(Boolean),
);
return $input
	.all()
	.filter(({ json }) => wanted.has(json.email.toLowerCase()) && json.ignore_usage_alerts !== true);
