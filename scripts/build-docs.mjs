// Renders docs/reference, docs/catalog.md and docs/clients.md into dist/docs/pages.json, from which the service serves them below /docs,
// and copies Swagger UI there, which the REST reference at /docs loads.
// README.md lists the pages: its links give their order and their names. A link that leads nowhere fails the build.
import MarkdownIt from 'markdown-it';
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');
const index = join(root, 'docs/reference/README.md');

// No raw HTML: what looks like a tag in the prose stays text.
const markdown = new MarkdownIt({ html: false });

/** A page, parsed: its file, its name in the list of pages, its path below /docs, and its tokens. */
function parse(file, label) {
  const text = readFileSync(file, 'utf8');
  // The marks of `npm run emit`.
  const tokens = markdown.parse(text.replace(/^<!--.*-->$/gm, ''), {});
  const path = file === index ? 'reference' : basename(file, '.md');
  return { file, label, path, tokens, sections: nameHeadings(tokens) };
}

const overview = parse(index, 'Overview');
const pages = [overview, ...linksOf(overview).map(([href, label]) => parse(resolve(dirname(index), href), label))];
const byFile = new Map(pages.map((page) => [page.file, page]));
const unlisted = globSync('docs/reference/*.md', { cwd: root }).filter((file) => !byFile.has(join(root, file)));
if (unlisted.length > 0) throw new Error(`docs/reference/README.md links no ${unlisted.join(', ')}.`);

for (const page of pages) rewriteLinks(page);
const rendered = pages.map(({ file, label, path, tokens, sections }) => ({
  path,
  label,
  title: sections.find(({ level }) => level === 1).text,
  sections: sections.filter(({ level }) => level === 2 || level === 3),
  source: relative(root, file),
  html: render(tokens),
}));
mkdirSync(join(root, 'dist/docs'), { recursive: true });
const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js'])
  copyFileSync(join(swagger, file), join(root, 'dist/docs', file));
// Last: its presence proves the build.
writeFileSync(join(root, 'dist/docs/pages.json'), JSON.stringify(rendered));

/** Gives each heading an id, spelled as GitHub spells it. @returns the headings in their order. */
function nameHeadings(tokens) {
  const taken = new Map();
  return tokens.flatMap((token, at) => {
    if (token.type !== 'heading_open') return [];
    const text = textOf(tokens[at + 1]);
    const word = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const count = taken.get(word) ?? 0;
    taken.set(word, count + 1);
    const id = count === 0 ? word : `${word}-${count}`;
    token.attrSet('id', id);
    return [{ id, text, level: Number(token.tag.slice(1)) }];
  });
}

/** Links between pages lead to their paths below /docs. Another file of the repository is named without a link. */
function rewriteLinks(page) {
  for (const { children } of page.tokens.filter(({ type }) => type === 'inline')) {
    children.forEach((token, at) => {
      if (token.type !== 'link_open' || /^https?:/.test(token.attrGet('href'))) return;
      const [file, anchor] = token.attrGet('href').split('#');
      const target = file === '' ? page.file : resolve(dirname(page.file), file);
      const linked = byFile.get(target);
      const isThere =
        linked === undefined ? existsSync(target) : !anchor || linked.sections.some(({ id }) => id === anchor);
      if (!isThere) throw new Error(`${relative(root, page.file)} links ${token.attrGet('href')}, which is not there.`);
      if (linked !== undefined) return token.attrSet('href', `/docs/${linked.path}${anchor ? `#${anchor}` : ''}`);
      const end = children.findIndex(({ type }, place) => place > at && type === 'link_close');
      for (const edge of [token, children[end]]) edge.tag = 'code';
      token.attrs = null;
    });
  }
}

/** The local links of a page: their addresses and texts. */
function linksOf({ tokens }) {
  return tokens.flatMap(({ children }) =>
    (children ?? []).flatMap((token, at) =>
      token.type === 'link_open' && token.attrGet('href').endsWith('.md')
        ? [[token.attrGet('href'), children[at + 1].content]]
        : [],
    ),
  );
}

/** Renders a page. Tables and code scroll by themselves, so they take the focus and have a name. */
function render(tokens) {
  let heading = '';
  const scrolling = (what, content) =>
    `<div class="scroll" role="group" tabindex="0" aria-label="${markdown.utils.escapeHtml(`${what}: ${heading}`)}">${content}`;
  const rules = {
    ...markdown.renderer.rules,
    heading_open: (all, at, options, _env, self) => {
      heading = textOf(all[at + 1]);
      return self.renderToken(all, at, options);
    },
    table_open: () => scrolling('Table', '<table>'),
    table_close: () => '</table></div>\n',
    fence: (all, at, options, env, self) =>
      `${scrolling('Code', markdown.renderer.rules.fence(all, at, options, env, self))}</div>\n`,
  };
  const renderer = Object.assign(Object.create(markdown.renderer), { rules });
  return renderer.render(tokens, markdown.options, {});
}

function textOf({ children }) {
  return children.map(({ content }) => content).join('');
}
