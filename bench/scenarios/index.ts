import { create } from './create.js';
import { get } from './get.js';
import { hooksOnOne, hooksSpread } from './hooks.js';
import { behindRow, deepPage, list } from './list.js';

/** All scenarios of requests, in the order of their measurement. */
export const scenarios = [list, deepPage, behindRow, get, create, hooksSpread, hooksOnOne];
