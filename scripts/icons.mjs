// `npm run icons`: writes the icons that the dashboard imports of ui/icons/icons.ts, and the logos of the applications of
// the catalog, as one SVG with a symbol for each, with the list of those that have one. The libraries are installed for
// this run only: they have ten thousand icons, 77 MB. Tabler's are MIT, those of Simple Icons CC0; trademarks are their
// owners'.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const LIBRARIES = ['@tabler/icons@3.51.0', 'simple-icons@16.37.0'];

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
/** The empty square in Tabler's outlined icons. */
const BACKGROUND = '<path stroke="none" d="M0 0h24v24H0z" fill="none" />';

const root = join(import.meta.dirname, '..');
const libraries = mkdtempSync(join(tmpdir(), 'icons-'));
const simple = (name) => join(libraries, `node_modules/simple-icons/icons/${name}.svg`);
const tabler = (name, style = 'outline') => join(libraries, `node_modules/@tabler/icons/icons/${style}/${name}.svg`);

try {
  execFileSync('npm', ['install', '--no-save', '--ignore-scripts', '--prefix', libraries, ...LIBRARIES]);
  writeIcons();
  writeMarks();
} finally {
  rmSync(libraries, { recursive: true, force: true });
}

/** Writes the icons by the names under which the dashboard imports them: `IconCircleCheckFilled`. */
function writeIcons() {
  const code = globSync('src/dashboard/**/*.{ts,tsx}', { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('');
  const imports = code.matchAll(/import \{([^}]*)\} from '[^']*\/icons\.js'/g);
  const names = new Set([...imports].flatMap(([, list]) => list.match(/\bIcon[A-Z]\w*/g) ?? []));
  const lines = [...names].sort().map((name) => {
    const [, outline, isFilled] = /^Icon(.+?)(Filled)?$/.exec(name);
    const svg = readFileSync(tabler(kebab(outline), isFilled ? 'filled' : 'outline'), 'utf8');
    return `export const ${name} = ${isFilled ? 'filled' : 'outlined'}('${pathOf(svg, name)}');\n`;
  });
  writeFileSync(
    join(root, 'src/dashboard/ui/icons/icons.ts'),
    `/** @license Icons of Tabler, https://tabler.io/icons: MIT, © 2020 Paweł Kuna. \`npm run icons\` writes them. */
import { filled, outlined } from './icon.js';\n\n${lines.join('')}`,
  );
  execFileSync('npx', ['prettier', '--write', 'src/dashboard/ui/icons/icons.ts'], { cwd: root });
  console.log(`${lines.length} icons`);
}

/** `ChevronRight`: `chevron-right`; `Box2`: `box-2`. */
function kebab(name) {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[a-z])(?=\d)/g, '-').toLowerCase();
}

/** All shapes of an icon as one path. */
function pathOf(svg, name) {
  const shapes = shapesOf(svg).replace(BACKGROUND, '');
  const paths = [...shapes.matchAll(/<path d="([^"]*)"\s*\/>/g)];
  if (shapes !== paths.map(([shape]) => shape).join('')) throw new Error(`${name} has other shapes than paths.`);
  return paths.map(([, path]) => absolute(path, name)).join('');
}

/** A path that may follow another one: a relative start would be relative to its end. */
function absolute(path, name) {
  const relative = /^m\s*[-\d.]+[\s,]*[-\d.]+(?=\s*[a-z])/.exec(path);
  if (path.startsWith('m') && relative === null) throw new Error(`${name} begins with lines relative to its start.`);
  return path[0].toUpperCase() + path.slice(1);
}

function writeMarks() {
  const types = globSync('src/features/integrations/apps/catalog/*/*.ts', { cwd: root }).map((file) =>
    basename(file, '.ts'),
  );
  const symbols = new Map();
  for (const type of [...types, ...Object.keys(OTHERS)].sort()) {
    const own = simple(type.replaceAll('_', ''));
    if (Object.hasOwn(OTHERS, type)) symbols.set(type, outlined(readFileSync(tabler(OTHERS[type]), 'utf8')));
    else if (existsSync(own)) symbols.set(type, shapesOf(readFileSync(own, 'utf8').replace(/<title>.*<\/title>/, '')));
  }
  const folder = join(root, 'src/dashboard/integrations/catalog');
  const all = [...symbols].map(([type, shapes]) => `  <symbol id="${type}" viewBox="0 0 24 24">${shapes}</symbol>\n`);
  writeFileSync(join(folder, 'app-marks.svg'), `<svg xmlns="http://www.w3.org/2000/svg">\n${all.join('')}</svg>\n`);
  const names = [...symbols.keys()].map((type) => `  '${type}',\n`);
  writeFileSync(
    join(folder, 'marked-apps.ts'),
    `/** The applications with a symbol in app-marks.svg; \`npm run icons\` writes both files. */
export const MARKED_APPS: ReadonlySet<string> = new Set([\n${names.join('')}]);\n`,
  );
  console.log(`${symbols.size} marks; a letter stands for ${types.filter((type) => !symbols.has(type)).join(', ')}`);
}

/** The shapes of an icon of 24 by 24. */
function shapesOf(svg) {
  return /<svg[^>]*>([\s\S]*)<\/svg>/.exec(svg)[1].replaceAll(/\s*\n\s*/g, '');
}

function outlined(svg) {
  const shapes = shapesOf(svg).replace(BACKGROUND, '');
  return `<g fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round">${shapes}</g>`;
}
