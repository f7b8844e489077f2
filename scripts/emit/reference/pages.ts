import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/platform/package-root.js';
import { type OpenApi } from '../../../src/transports/rest/openapi/document.js';
import { appKeys, exampleApps } from './apps-file.js';
import { eventBodies } from './events.js';
import { actionConfigs, operators, triggerConfigs } from './kinds.js';
import { limitTables } from './limits.js';
import {
  auditActions,
  closeCodes,
  deliveryTransitions,
  errorCodes,
  integrationReasons,
  runReasons,
  runTransitions,
  stepErrors,
  testReasons,
  webhookReasons,
} from './words.js';

/** What stands between `<!-- emitted: name -->` and `<!-- end -->` in the pages of `docs/reference`. */
const BLOCKS: Readonly<Record<string, (openApi: OpenApi) => string>> = {
  'action configs': actionConfigs,
  'app keys': appKeys,
  'audit actions': auditActions,
  'close codes': closeCodes,
  'delivery transitions': deliveryTransitions,
  'error codes': errorCodes,
  'event bodies': eventBodies,
  'example apps': exampleApps,
  'integration reasons': integrationReasons,
  limits: limitTables,
  operators,
  'run reasons': runReasons,
  'run transitions': runTransitions,
  'step errors': stepErrors,
  'test reasons': testReasons,
  'trigger configs': triggerConfigs,
  'webhook reasons': webhookReasons,
};

const BLOCK = /(<!-- emitted: ([\w ]+) -->\n)[^]*?(<!-- end -->)/g;

/** The pages with their emitted blocks as the code has them now; the prose around is written by hand. @throws Error for a block that nothing fills, or no page has. */
export function referencePages(openApi: OpenApi): Record<string, string> {
  const left = new Set(Object.keys(BLOCKS));
  const pages = globSync('docs/reference/*.md', { cwd: packageRoot }).map((file) => {
    const text = readFileSync(join(packageRoot, file), 'utf8');
    const filled = text.replace(BLOCK, (_, begin: string, name: string, end: string) => {
      const emit = BLOCKS[name];
      if (emit === undefined) throw new Error(`${file}: nothing emits "${name}".`);
      left.delete(name);
      return `${begin}\n${emit(openApi)}\n\n${end}`;
    });
    return [file, filled] as const;
  });
  if (left.size > 0) throw new Error(`No page of docs/reference has a block for ${[...left].join(', ')}.`);
  return Object.fromEntries(pages);
}
