/** A question from the process that started this one. */
export interface Question {
  id: number;
  name: string;
  payload: unknown;
}

/** Its answer: what the function of that name gave, or why it failed. */
export interface Answer {
  id: number;
  result?: unknown;
  error?: string;
}

/** What a process answers, by name. */
export type Answers = Readonly<Record<string, (payload: never) => unknown>>;

/** Answers the questions of the process that started this one, over IPC. May be called for several sets of names. */
export function answerQuestions(answers: Answers): void {
  process.on('message', ({ id, name, payload }: Question) => {
    if (Object.hasOwn(answers, name)) void answer(id, () => answers[name]!(payload as never));
  });
}

async function answer(id: number, work: () => unknown): Promise<void> {
  let answer: Answer;
  try {
    answer = { id, result: await work() };
  } catch (error) {
    answer = { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  process.send?.(answer);
}
