import { appUrl } from '../../src/features/integrations/app-url.js';

const BASE = 'https://api.example/v1/tenant/';

describe('the URL of a path below the base URL of an application', () => {
  it.each([
    ['/orders', 'https://api.example/v1/tenant/orders'],
    ['/orders?path=../..', 'https://api.example/v1/tenant/orders?path=../..'],
    // GitLab's project ids contain an encoded slash.
    ['/projects/group%2Fproject', 'https://api.example/v1/tenant/projects/group%2Fproject'],
    ['/files/a..b%2F.hidden%2F...', 'https://api.example/v1/tenant/files/a..b%2F.hidden%2F...'],
    ['/files/100%25', 'https://api.example/v1/tenant/files/100%25'],
    ['/versions/1.2;3', 'https://api.example/v1/tenant/versions/1.2;3'],
  ])('takes %s', (path, address) => {
    expect(appUrl(BASE, path).href).toBe(address);
  });

  it.each([
    '/../admin',
    '/a/..',
    '/./a',
    '/%2e%2e/admin',
    '/.%2E/admin',
    '/a/..%2f..%2fadmin',
    '/a%2F..%2Fadmin',
    '/a%2f%2e%2e%2fadmin',
    '/a%5c..%5cadmin',
    '/a\\..\\..\\admin',
    '/a/..%252f..%252fadmin',
    '/a/%252e%252e/admin',
    '/a/%25252e%25252e%25252fadmin',
    '/a/..;/admin',
    '/a/..%3b/admin',
    '/a/..;x=y/admin',
    '/a/.\t./admin',
    '/a/.\n.\r/admin',
  ])('refuses %j', (path) => {
    expect(() => appUrl(BASE, path)).toThrow('The path would leave the address of the application.');
  });

  it('refuses a fragment, which would cut off what follows', () => {
    expect(() => appUrl(BASE, '/channels/#general?limit=5')).toThrow('path: must not contain #; write it as %23');
  });
});
