import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from './fault.js';

/** The commands in the README of a checkout. */
export class Readme {
  private readonly text: string;

  constructor(checkout: string) {
    this.text = readFileSync(join(checkout, 'README.md'), 'utf8');
  }

  /** The match of the pattern's group. @throws Fault when the README has no such command. */
  command(pattern: RegExp): string {
    const command = pattern.exec(this.text)?.[1];
    if (command === undefined) throw new Fault('README.md', `has no command like ${pattern.source}`);
    return command;
  }

  /** The first block of a language below a heading: of shell commands unless another one is named. */
  block(heading: string, language = 'sh'): string {
    const section = this.text.split(`\n${heading}\n`)[1];
    const block = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(section ?? '')?.[1];
    if (block === undefined) throw new Fault('README.md', `has no block “${language}” below “${heading}”`);
    return block;
  }
}
