import { type ReactNode } from 'react';
import { type NeedsAttentionQuery } from './overview.generated.js';

/** A connection that needs attention. */
export type AttentionItem = NeedsAttentionQuery['integrations']['items'][number];

/** Renders one of them as a row. */
export type RenderRow = (item: AttentionItem) => ReactNode;
