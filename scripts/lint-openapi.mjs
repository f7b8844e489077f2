// `npm run openapi`: lints the OpenAPI document with Redocly; a warning fails too.
process.env.REDOCLY_TELEMETRY = 'off';
process.env.REDOCLY_SUPPRESS_NOTIFICATIONS = 'true';
process.argv.push('lint', 'schema/openapi.json', '--extends', 'recommended-strict');
await import('@redocly/cli/bin/cli.js');
