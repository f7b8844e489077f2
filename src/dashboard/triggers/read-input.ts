/** A text read as JSON, an empty one as null; `fault` says why it is none. */
export function readInput(text: string): { value: unknown; fault?: undefined } | { fault: string } {
  if (text.trim() === '') return { value: null };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    const { message } = error as Error;
    const at = /at position (\d+)/.exec(message)?.[1];
    const where = at === undefined ? '' : ` in line ${text.slice(0, Number(at)).split('\n').length}`;
    const what = message
      .replace(/^JSON\.parse: /, '')
      .replace(/(?:, | in JSON | after JSON | at (?:position|line) ).*$/s, '');
    return { fault: `This is not valid JSON: ${what.charAt(0).toLowerCase()}${what.slice(1)}${where}.` };
  }
}
