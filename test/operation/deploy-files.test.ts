import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Compose, profileFaults } from '../../scripts/image/compose-profiles.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { VARIABLES } from '../../src/platform/config/variables.js';
import { EXIT_CONFIG } from '../../src/process/node-version.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

const textOf = (path: string) => readFileSync(join(packageRoot, path), 'utf8');

/** Words of PromQL in the rules, and the metric and labels that Prometheus itself adds. */
const OF_PROMETHEUS = /^(sum|max|min|abs|rate|increase|max_over_time|and|or|by|offset|up|job|instance)$/;

describe('the alert rules for Prometheus', () => {
  const rules = textOf('deploy/prometheus/alerts.yml');
  const expressions = [...rules.matchAll(/^ +expr: (.+)$/gm)].map(([, expression]) => expression!);
  let server: TestServer;
  let samples: string;

  beforeAll(async () => {
    server = await startTestServer();
    const client = new Client(server.baseUrl, await server.key());
    await client.rest('GET', '/workflows');
    samples = (await client.send<string>('GET', '/metrics')).body;
  });
  afterAll(() => server.close());

  it('name only metrics of the service', () => {
    const names = expressions
      .map((expression) => expression.replaceAll(/\{[^}]*\}|\[[^\]]*\]|\b\d+m?\b/g, ' '))
      .flatMap((expression) => expression.match(/[a-z_]\w*/g) ?? [])
      .filter((name) => !OF_PROMETHEUS.test(name));
    expect(new Set(names).size).toBeGreaterThan(6);
    const unknown = names.filter((name) => !new RegExp(`^${name}[ {]`, 'm').test(samples));
    expect(unknown).toEqual([]);
  });

  it('name only labels and states that those metrics have', () => {
    const selectors = expressions.flatMap((expression) => [...expression.matchAll(/(\w+)\{(\w+)="([^"]+)"\}/g)]);
    const unknown = selectors
      .map(([, metric, label, value]) => [metric!, label!, label === 'status' && /^\d+$/.test(value!) ? '200' : value!])
      .filter(([metric]) => metric !== 'up')
      .filter(([metric, label, value]) => !new RegExp(`^${metric}\\{.*\\b${label}="${value}"`, 'm').test(samples));
    expect(selectors.length).toBeGreaterThan(4);
    expect(unknown).toEqual([]);
  });

  it('say what happens and what to do', () => {
    const count = expressions.length;
    expect(rules.match(/^ +- alert: \w+$/gm)).toHaveLength(count);
    expect(rules.match(/^ +summary: .{10,}$/gm)).toHaveLength(count);
    expect(rules.match(/^ +action: .{10,}$/gm)).toHaveLength(count);
  });
});

describe('the unit for systemd', () => {
  const unit = textOf('deploy/systemd/workflow-gateway.service');
  const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];

  it('starts a file that the package contains', () => {
    const { exports, name } = JSON.parse(textOf('package.json')) as {
      name: string;
      exports: { '.': { default: string } };
    };
    const [, path] = valueOf('ExecStart')!.split(' ');
    expect(path).toBe(
      `/opt/${name}/node_modules/${name}/${exports['.'].default.slice(2).replace('index.js', 'main.js')}`,
    );
  });

  it('does not start a faulty configuration again', () => {
    expect(valueOf('RestartPreventExitStatus')).toBe(String(EXIT_CONFIG));
  });

  it('gives a stop more than the 25 seconds that it may take', () => {
    expect(Number(valueOf('TimeoutStopSec'))).toBeGreaterThan(30);
  });

  it('sets only settings that exist', () => {
    const names = valueOf('Environment')!
      .split(' ')
      .map((setting) => setting.split('=')[0]!);
    expect(names.filter((name) => !VARIABLES.some((variable) => variable.name === name))).toEqual([]);
    expect(names).toContain('DATA_DIR');
  });
});

describe('compose.yaml', () => {
  it('starts one process or several, each profile at the one port', () => {
    expect(profileFaults(parse(textOf('compose.yaml'), { merge: true }) as Compose)).toEqual([]);
  });

  it.each(['compose.yaml', 'docs/operations/one-machine.md', 'docs/operations/several-machines.md', 'README.md'])(
    'is started with a profile in %s',
    (file) => {
      const commands = textOf(file).match(/docker compose .*/g)!;
      expect(commands.length).toBeGreaterThan(0);
      for (const command of commands) expect(command).toMatch(/^docker compose --profile (?:single|several) up\b/);
    },
  );
});
