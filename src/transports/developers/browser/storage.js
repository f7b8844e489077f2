/**
 * GraphiQL's storage for queries, variables and history: it lives as long as the browser tab and never holds a key.
 * GraphiQL's own history would store headers even when told not to keep them.
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
