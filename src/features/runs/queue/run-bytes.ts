/**
 * What a run takes besides its texts and events, in bytes, as measured: its row and indexes. Its job and its firing are
 * deleted.
 */
export const RUN_BYTES = 1_280;
/** The same of a step. */
export const STEP_BYTES = 256;
