export const IN_SERVICE: readonly string[];
