import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

/** Metrics of the library, which names those of Node. */
const OF_NODE = /^(process|nodejs)_/;
/** Prometheus counts in seconds and bytes (https://prometheus.io/docs/practices/naming/). */
const OTHER_UNITS = /_(ms|milliseconds|microseconds|minutes|hours|days|kb|mb|kilobytes|megabytes|percent)(_|$)/;
const TYPES_IN_NAMES = /_(counter|gauge|histogram|summary|metric)(_|$)/;

interface Family {
  name: string;
  help: string;
  type: string;
}

/** The rules of `promtool check metrics`, for the names that the service chooses. */
describe('the names of the metrics', () => {
  let server: TestServer;
  let families: Family[];
  let samples: string[];

  beforeAll(async () => {
    server = await startTestServer();
    const { body } = await new Client(server.baseUrl).send<string>('GET', '/metrics');
    const types = new Map([...body.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name, type]) => [name!, type!]));
    families = [...body.matchAll(/^# HELP (\S+) ?(.*)$/gm)]
      .map(([, name, help]) => ({ name: name!, help: help!, type: types.get(name!)! }))
      .filter(({ name }) => !OF_NODE.test(name));
    samples = body.split('\n').filter((line) => line !== '' && !line.startsWith('#') && !OF_NODE.test(line));
  });
  afterAll(() => server.close());

  const namesOf = (broken: (family: Family) => boolean) => families.filter(broken).map(({ name }) => name);

  it('are of lower case, each with a help and a type', () => {
    expect(families.length).toBeGreaterThan(10);
    expect(namesOf(({ name }) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name))).toEqual([]);
    expect(namesOf(({ help, type }) => help.trim() === '' || type === undefined || type === 'untyped')).toEqual([]);
  });

  it('end with `_total` where they count, and only there', () => {
    expect(namesOf(({ name, type }) => (type === 'counter') !== name.endsWith('_total'))).toEqual([]);
  });

  it('have no suffix of a histogram where there is none', () => {
    expect(
      namesOf(({ name, type }) => /_(count|sum|bucket)$/.test(name) && !['histogram', 'summary'].includes(type)),
    ).toEqual([]);
  });

  it('name seconds and bytes, and no type', () => {
    expect(namesOf(({ name }) => OTHER_UNITS.test(name) || TYPES_IN_NAMES.test(name))).toEqual([]);
  });

  it('have labels of lower case', () => {
    const labels = samples.flatMap((line) => [...line.matchAll(/[{,](\w+)="/g)].map(([, label]) => label!));
    expect(labels.length).toBeGreaterThan(10);
    expect(labels.filter((label) => !/^[a-z][a-z_]*$/.test(label))).toEqual([]);
  });
});
