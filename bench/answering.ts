/** A question from the parent process. */
export interface Question {
  id: number;
  name: string;
  payload: unknown;
}

/** The answer to a question: the result of the function of that name, or its error. */
export interface Answer {
  id: number;
  result?: unknown;
  error?: string;
}

/** The functions that answer questions, by name. */
export type Answers = Readonly<Record<string, (payload: never) => unknown>>;

/** Answers questions of the parent process over IPC. May be called for several sets of names. */
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
