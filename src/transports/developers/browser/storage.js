/**
 * Where GraphiQL keeps queries, variables and history: as long as the browser tab lives, and never a key. GraphiQL's own
 * history would store headers even when they are told not to be kept.
 */
export const storage = {
  get length() {
    return sessionStorage.length;
  },
  getItem: (name) => sessionStorage.getItem(name),
  setItem: (name, value) => sessionStorage.setItem(name, value.replace(/\b(wf[ks])_[\w-]{8,}/g, '$1_...')),
  removeItem: (name) => sessionStorage.removeItem(name),
  clear: () => sessionStorage.clear(),
};
