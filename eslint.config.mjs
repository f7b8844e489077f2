import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import reactHooks from 'eslint-plugin-react-hooks';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** Ways to the network. Addresses that users supply must go through `src/platform/http`, which looks where a name really leads. */
const OUTBOUND = 'Outbound calls go through src/platform/http (docs/architecture.md).';
const outboundGlobals = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'];
/** Serving is not calling: these names and all types stay free. */
const serving = { allowTypeImports: true, message: OUTBOUND };
const outboundImports = [
  { name: 'undici', ...serving },
  ...['http', 'https', 'http2', 'net', 'tls', 'dgram'].flatMap((module) =>
    [module, `node:${module}`].map((name) => ({
      name,
      allowImportNames: ['createServer', 'Server', 'isIP', 'STATUS_CODES'],
      ...serving,
    })),
  ),
];
const env = 'Settings are read and judged in src/platform/config/config.ts alone.';
const fileByPathname = {
  selector: 'MemberExpression[property.name="pathname"][object.type="NewExpression"]:has(MetaProperty)',
  message: 'A pathname writes a space as %20: take fileURLToPath, or join(import.meta.dirname, …).',
};
const defaultExport = { selector: 'ExportDefaultDeclaration', message: 'Export by name.' };
/** What makes a test pass or fail by the speed of the machine, or by chance. */
const luck = [
  {
    selector:
      'WhileStatement > ExpressionStatement > AwaitExpression > NewExpression[callee.name="Promise"]:has(Identifier[name="setTimeout"])',
    message: 'Wait with `until` (test/support/until.ts), which names the condition that never comes.',
  },
  {
    selector: 'CallExpression[callee.name="it"][arguments.length>2]',
    message: 'What ends a test that hangs stands in jest.config.mjs; it says nothing of speed.',
  },
  {
    selector:
      'CallExpression[callee.property.name=/^toBeLessThan/]:has(MemberExpression[object.name=/^(performance|Date)$/][property.name="now"])',
    message: 'Real time is luck: take a count or a state, or `LivedTime` and `cpuTime` (test/support).',
  },
  {
    selector:
      'TemplateLiteral[quasis.1.value.raw=/^\\w$/] > CallExpression[callee.property.name="slice"][arguments.0.value=0]',
    message: 'By chance that is the right one: take `wrongSecret` (test/support/wrong-secret.ts).',
  },
];

export default defineConfig(
  globalIgnores(['dist/', 'coverage/', 'data/', 'src/dashboard/**/*.generated.ts']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  { rules: { 'no-restricted-syntax': ['error', fileByPathname] } },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: Object.fromEntries(
        ['process', 'console', 'URL', 'globalThis', 'setTimeout', 'AbortController', 'fetch'].map((name) => [
          name,
          'readonly',
        ]),
      ),
    },
  },
  {
    files: ['src/**/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'document',
          'window',
          'fetch',
          'localStorage',
          'sessionStorage',
          'setTimeout',
          'clearTimeout',
          'URL',
          'location',
          'navigator',
          'AbortController',
          'TextDecoder',
          'CloseEvent',
          'Worker',
          'matchMedia',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    // What runs in a browser, and plain Node beside it: `examples` is what others copy, without a build.
    files: ['examples/**/*.js', 'examples/**/*.mjs'],
    languageOptions: {
      globals: Object.fromEntries(
        ['document', 'window', 'fetch', 'setTimeout', 'setInterval', 'clearInterval', 'AbortController', 'AbortSignal']
          .concat(['URL', 'URLSearchParams', 'process', 'console'])
          .map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    // A pattern that a text can make backtrack takes the square of its length, or more: nothing else happens meanwhile.
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignoreSticky: true }],
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // `return fail('…')` and `return next(error)` end a function in one line.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      // GraphQL types and inputs are classes for their decorators; values of their shape are as good.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // An interface may ask for a promise where there is nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
      // With `noUncheckedIndexedAccess` it is how code says that it has looked before.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // `Promise.withResolvers<void>()` is how one waits for a moment.
      '@typescript-eslint/no-invalid-void-type': 'off',
      // An underscore marks what a signature or a pattern has to name.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
    },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    rules: {
      'max-lines': ['error', 300],
      'no-restricted-globals': ['error', ...outboundGlobals.map((name) => ({ name, message: OUTBOUND }))],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: env },
        ...outboundGlobals.map((property) => ({ object: 'globalThis', property, message: OUTBOUND })),
      ],
      'no-restricted-syntax': ['error', fileByPathname, defaultExport],
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { paths: [...outboundImports, ...['process', 'node:process'].map((name) => ({ name, message: env }))] },
      ],
    },
  },
  {
    // Runs in a browser, under its policy: its calls lead to our own origin.
    files: ['src/dashboard/**/*.ts', 'src/dashboard/**/*.tsx'],
    extends: [reactHooks.configs.flat.recommended],
    rules: {
      'no-restricted-globals': 'off',
      // An event handler may be asynchronous: what it starts tells of its own failure.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      'no-restricted-syntax': [
        'error',
        fileByPathname,
        defaultExport,
        {
          selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]',
          message: 'Texts of users are shown as text.',
        },
      ],
    },
  },
  { files: ['src/dashboard/vite.config.ts'], rules: { 'no-restricted-syntax': 'off' } },
  { files: ['src/platform/config/config.ts'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: ['src/platform/http/**/*.ts'],
    rules: { 'no-restricted-globals': 'off', '@typescript-eslint/no-restricted-imports': 'off' },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // Answers are JSON of any shape: what a test expects of it is its assertion.
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/use-unknown-in-catch-callback-variable': 'off',
      // What a test waits for is changed by others, which the compiler doesn't see.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/unbound-method': 'off',
      'no-restricted-syntax': ['error', fileByPathname, ...luck],
      'no-restricted-properties': [
        'error',
        ...['describe', 'it', 'test'].flatMap((object) =>
          ['only', 'skip', 'todo'].map((property) => ({ object, property, message: 'Every test runs.' })),
        ),
        ...['mock', 'unstable_mockModule'].map((property) => ({
          object: 'jest',
          property,
          message: 'Tests use real parts.',
        })),
      ],
    },
  },
  // The one place that leaves tests out, where no browser starts; the end of the run counts them.
  { files: ['test/support/browser/in-browser.ts'], rules: { 'no-restricted-properties': 'off' } },
);
