// `npm run openapi`: what Redocly's linter says of the OpenAPI document; a warning fails too.
process.env.REDOCLY_TELEMETRY = 'off';
process.env.REDOCLY_SUPPRESS_NOTIFICATIONS = 'true';
process.argv.push('lint', 'schema/openapi.json', '--extends', 'recommended-strict');
await import('@redocly/cli/bin/cli.js');
