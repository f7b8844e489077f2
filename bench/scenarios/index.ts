import { create } from './create.js';
import { get } from './get.js';
import { hooksOnOne, hooksSpread } from './hooks.js';
import { deepPage, list } from './list.js';

/** Every scenario of requests, in the order in which they are measured. */
export const scenarios = [list, deepPage, get, create, hooksSpread, hooksOnOne];
