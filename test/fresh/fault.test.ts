import { Fault, reasonIn } from '../../scripts/fresh/fault.js';

describe('what lacked on a fresh machine', () => {
  it.each([
    ['a test', 'PASS a\n  ● hooks › takes a post\n\n    Error: other\nTests: 1 failed', '  ● hooks › takes a post'],
    [
      'npm',
      'npm error code EUSAGE\nnpm error\nnpm error Not in sync\nnpm error Missing: x from lock file\n',
      'npm error Missing: x from lock file',
    ],
    [
      'the compiler',
      'building\nsrc/a.ts(1,1): error TS2304: no name\nnpm error',
      'src/a.ts(1,1): error TS2304: no name',
    ],
    ['a shell', 'one\nsh: 1: curl: not found\n', 'sh: 1: curl: not found'],
    ['nothing known', 'one\ntwo\n\n', 'two'],
    ['silence', '\n', 'it wrote nothing'],
  ])('is found in the output: %s', (_name, output, reason) => {
    expect(reasonIn(output)).toBe(reason);
  });

  it('is one line', () => {
    expect(new Fault('step', ' two\n   lines\n').message).toBe('step: two lines');
  });
});
