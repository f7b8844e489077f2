import { type Attack } from '../attack.js';
import { brokenPosts } from './broken-posts.js';
import { contains } from './contains.js';
import { costlyDocuments } from './costly-documents.js';
import { deepJson } from './deep-json.js';
import { failedRuns } from './failed-runs.js';
import { fanOut } from './fan-out.js';
import { farPages } from './far-pages.js';
import { fragments } from './fragments.js';
import { hangingRuns } from './hanging-runs.js';
import { hookStorm } from './hook-storm.js';
import { largeHooks } from './large-hooks.js';
import { largeLists } from './large-lists.js';
import { largeWebhooks } from './large-webhooks.js';
import { lockedRun } from './locked-run.js';
import { madeUpKeys } from './made-up-keys.js';
import { mails } from './mails.js';
import { manyListeners } from './many-listeners.js';
import { objectAnswers } from './object-answers.js';
import { passwords } from './passwords.js';
import { readsBeyond } from './reads-beyond.js';
import { searches } from './searches.js';
import { sessionFragments } from './session-fragments.js';
import { socketMessages } from './socket-messages.js';
import { statistics } from './statistics.js';
import { tinyChunks } from './tiny-chunks.js';
import { unfinishedBodies } from './unfinished-bodies.js';
import { unreadEvents } from './unread-events.js';
import { waits } from './waits.js';
import { writesBeyond } from './writes-beyond.js';

/** Every attack, in the order of the table. */
export const attacks: readonly Attack[] = [
  fragments,
  sessionFragments,
  objectAnswers,
  hangingRuns,
  unreadEvents,
  tinyChunks,
  unfinishedBodies,
  contains,
  manyListeners,
  largeLists,
  failedRuns,
  statistics,
  farPages,
  searches,
  largeHooks,
  largeWebhooks,
  hookStorm,
  lockedRun,
  fanOut,
  socketMessages,
  passwords,
  madeUpKeys,
  mails,
  brokenPosts,
  readsBeyond,
  writesBeyond,
  costlyDocuments,
  waits,
  deepJson,
];
