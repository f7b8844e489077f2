import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import reactHooks from 'eslint-plugin-react-hooks';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** Ways to the network. Calls to URLs of users must go through `src/platform/http`, which checks the address behind a name. */
const OUTBOUND = 'Outbound calls go through src/platform/http (docs/architecture.md).';
const outboundGlobals = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'];
/** Imports that are allowed: types, and the names needed to serve. */
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
const env = 'Only src/platform/config/config.ts reads settings.';
const fileByPathname = {
  selector: 'MemberExpression[property.name="pathname"][object.type="NewExpression"]:has(MetaProperty)',
  message: 'A pathname contains %20 for a space: use fileURLToPath, or join(import.meta.dirname, …).',
};
const defaultExport = { selector: 'ExportDefaultDeclaration', message: 'Export by name.' };
/** Code that lets the speed of the machine, or chance, decide the result of a test. */
const luck = [
  {
    selector:
      'WhileStatement > ExpressionStatement > AwaitExpression > NewExpression[callee.name="Promise"]:has(Identifier[name="setTimeout"])',
    message: 'Wait with `until` (test/support/until.ts): its error names the condition that did not occur.',
  },
  {
    selector: 'CallExpression[callee.name="it"][arguments.length>2]',
    message: 'The time limit of all tests is in jest.config.mjs.',
  },
  {
    selector:
      'CallExpression[callee.property.name=/^toBeLessThan/]:has(MemberExpression[object.name=/^(performance|Date)$/][property.name="now"])',
    message:
      'Real time depends on the machine: compare a count or a state, or use `LivedTime` and `cpuTime` (test/support).',
  },
  {
    selector:
      'TemplateLiteral[quasis.1.value.raw=/^\\w$/] > CallExpression[callee.property.name="slice"][arguments.0.value=0]',
    message: 'This may be the right secret by chance: use `wrongSecret` (test/support/wrong-secret.ts).',
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
        ['process', 'console', 'URL', 'globalThis', 'setTimeout', 'AbortController', 'fetch']
          .concat(['AbortSignal', 'Buffer', 'setInterval', 'clearInterval'])
          .map((name) => [name, 'readonly']),
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
    // Code for browsers and for plain Node, which users copy without a build.
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
    // A pattern that backtracks takes at least quadratic time for some texts, and blocks the process.
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
      // Allows `return fail('…')` and `return next(error)`.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      // GraphQL types and inputs are classes only for their decorators; plain objects of the same shape are fine.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // An interface may require a promise from a function that awaits nothing.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
      // Needed with `noUncheckedIndexedAccess` where code has checked the index.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Allows `Promise.withResolvers<void>()`.
      '@typescript-eslint/no-invalid-void-type': 'off',
      // An underscore marks a name that a signature or a pattern requires.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
    },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    rules: {
      'max-lines': ['error', 300],
      // One spelling: `request` and `response`.
      'id-denylist': ['error', 'req', 'res', '_req', '_res'],
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
    // Runs in a browser; the content security policy limits its calls to its own origin.
    files: ['src/dashboard/**/*.ts', 'src/dashboard/**/*.tsx'],
    extends: [reactHooks.configs.flat.recommended],
    rules: {
      'no-restricted-globals': 'off',
      // An event handler may be asynchronous: the action that it starts reports its own failure.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      'no-restricted-syntax': [
        'error',
        fileByPathname,
        defaultExport,
        {
          selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]',
          message: 'Render texts of users as text.',
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
      // Responses are JSON of any shape; the assertions of a test check it.
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/use-unknown-in-catch-callback-variable': 'off',
      // The compiler does not see that other code changes the awaited value.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/unbound-method': 'off',
      'no-restricted-syntax': ['error', fileByPathname, ...luck],
      'no-restricted-properties': [
        'error',
        ...['describe', 'it', 'test'].flatMap((object) =>
          ['only', 'skip', 'todo'].map((property) => ({ object, property, message: 'Skip no test.' })),
        ),
        ...['mock', 'unstable_mockModule'].map((property) => ({
          object: 'jest',
          property,
          message: 'Do not mock modules.',
        })),
      ],
    },
  },
  // The only places that skip tests: if no browser starts, or a program of a client is missing. The end of the run counts them.
  {
    files: ['test/support/browser/in-browser.ts', 'test/clients/guide.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
);
