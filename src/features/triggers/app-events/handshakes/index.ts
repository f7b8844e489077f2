import { type HandshakeDefinition, type HandshakeName } from './define-handshake.js';
import { meta } from './meta.js';
import { microsoft_graph } from './microsoft-graph.js';
import { slack } from './slack.js';

/** Every handshake, by its name. */
export const handshakes: { readonly [N in HandshakeName]: HandshakeDefinition & { name: N } } = {
  slack,
  meta,
  microsoft_graph,
};
