// `npm run app-marks`: writes again the logos of the applications of the catalog, as one SVG with a symbol for each, and
// the list of those that have one. The icons are of Simple Icons (CC0) and of Tabler (MIT); trademarks are their owners'.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'src/dashboard/integrations/catalog');
const simple = (name) => join(root, `node_modules/simple-icons/icons/${name}.svg`);
const tabler = (name) => join(root, `node_modules/@tabler/icons/icons/outline/${name}.svg`);

/** Applications without a logo in Simple Icons, by the icon of Tabler that stands for them. */
const OTHERS = {
  linkedin: 'brand-linkedin',
  microsoft_outlook: 'mail',
  microsoft_teams: 'brand-teams',
  monday: 'brand-monday',
  openai: 'brand-openai',
  sandbox_api_key: 'box',
  sandbox_oauth: 'box',
  slack: 'brand-slack',
};

const types = globSync('src/features/integrations/apps/catalog/*/*.ts', { cwd: root }).map((file) =>
  basename(file, '.ts'),
);
const symbols = new Map();
for (const type of [...types, ...Object.keys(OTHERS)].sort()) {
  const own = simple(type.replaceAll('_', ''));
  if (Object.hasOwn(OTHERS, type)) symbols.set(type, outlined(readFileSync(tabler(OTHERS[type]), 'utf8')));
  else if (existsSync(own)) symbols.set(type, shapesOf(readFileSync(own, 'utf8').replace(/<title>.*<\/title>/, '')));
}
const all = [...symbols].map(([type, shapes]) => `  <symbol id="${type}" viewBox="0 0 24 24">${shapes}</symbol>\n`);
writeFileSync(join(folder, 'app-marks.svg'), `<svg xmlns="http://www.w3.org/2000/svg">\n${all.join('')}</svg>\n`);
const names = [...symbols.keys()].map((type) => `  '${type}',\n`);
writeFileSync(
  join(folder, 'marked-apps.ts'),
  `/** The applications with a symbol in app-marks.svg; \`npm run app-marks\` writes both files. */
export const MARKED_APPS: ReadonlySet<string> = new Set([\n${names.join('')}]);\n`,
);
console.log(`${symbols.size} marks; a letter stands for ${types.filter((type) => !symbols.has(type)).join(', ')}`);

/** The shapes of an icon of 24 by 24. */
function shapesOf(svg) {
  return /<svg[^>]*>([\s\S]*)<\/svg>/.exec(svg)[1].replaceAll(/\s*\n\s*/g, '');
}

function outlined(svg) {
  const shapes = shapesOf(svg).replace('<path stroke="none" d="M0 0h24v24H0z" fill="none" />', '');
  return `<g fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round">${shapes}</g>`;
}
