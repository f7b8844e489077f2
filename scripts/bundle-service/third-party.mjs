import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const INTRODUCTION = `# Third-party code in this folder

The files of this folder contain code of these packages, unchanged but for its arrangement. Each is under its own licence.
`;

/** The text about the packages whose code is in the outputs of esbuild: version, licence and the texts that they bring. */
export function thirdParty(root, outputs) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const contained = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => packageOf(path));
  const folders = [...new Set(contained)].filter((folder) => folder !== undefined).sort();
  return `${[INTRODUCTION, ...folders.map((folder) => describe(join(root, folder)))].join('\n')}`;
}

/** The folder of the package with a file; undefined for a file of no package. */
function packageOf(path) {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
}

function describe(folder) {
  const { name, version, license, author, homepage } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|notice|copying)(?:[.-].*)?$/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
  if (texts.length === 0) throw new Error(`${name} has no file with its licence, which the tarball must contain.`);
  const by = typeof author === 'string' ? author : author?.name;
  const facts = [`Licence: ${license}`, by && `Author: ${by}`, homepage && `Home: ${homepage}`].filter(Boolean);
  const quoted = texts.map((text) => `\n~~~text\n${text}\n~~~\n`).join('');
  return `## ${name} ${version}\n\n${facts.join('  \n')}\n${quoted}`;
}
