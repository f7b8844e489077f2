/**
 * What a run takes besides its texts, in bytes, as measured: its row and indexes 1.2 kB, its event in the log 0.7 kB. Its job
 * and its firing are deleted.
 */
export const RUN_BYTES = 2_048;
/** The same of a step. */
export const STEP_BYTES = 256;
