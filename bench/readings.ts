// In a file of their own: an import of a type loads its module too, and the meter would run in the bench itself.

/** Memory in bytes, after garbage collection. */
export interface Memory {
  rss: number;
  heap: number;
}

/** The delay of timers since the last question, in milliseconds. */
export interface Delay {
  p99: number;
  max: number;
}
