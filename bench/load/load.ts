// The process that runs all clients, separate from the servers, so that their CPU time is measured alone.
import { answerQuestions } from '../answering.js';
import { drive } from './http.js';
import { pace } from './paced.js';
import { type Subscribe, Subscribers } from './subscribers.js';

const subscribers = new Subscribers();

answerQuestions({
  drive,
  pace,
  subscribe: (wanted: Subscribe) => subscribers.open(wanted),
  listen: () => subscribers.listen(),
  heard: () => subscribers.heard(),
  unsubscribe: () => subscribers.close(),
});

process.once('SIGTERM', () => process.exit(0));
