import { registerHooks } from 'node:module';

/** Lets plain Node run our TypeScript, within 0.1 s: it strips the types itself, and here `./x.js` finds `./x.ts`. */
registerHooks({
  resolve: (specifier, context, next) =>
    next(
      /^\.{1,2}\/.*\.js$/.test(specifier) && context.parentURL?.endsWith('.ts')
        ? specifier.replace(/js$/, 'ts')
        : specifier,
      context,
    ),
});
