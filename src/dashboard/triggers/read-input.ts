/** A text read as JSON, an empty one as null; `fault` says why it is none. */
export function readInput(text: string): { value: unknown; fault?: undefined } | { fault: string } {
  if (text.trim() === '') return { value: null };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    const at = /at position (\d+)/.exec((error as Error).message)?.[1];
    const line = at === undefined ? undefined : text.slice(0, Number(at)).split('\n').length;
    return { fault: `This is not valid JSON${line === undefined ? '' : `: look at line ${line}`}.` };
  }
}
