/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { RunStatus } from '../../graphql/enums.generated.js';
import type { WorkflowStatus } from '../../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type PaletteSearchQueryVariables = Exact<{
  search: string;
}>;


export type PaletteSearchQuery = { workflows: { items: Array<{ id: string, name: string, status: WorkflowStatus }> }, integrations: { items: Array<{ id: string, name: string, type: string }> }, runs: { items: Array<{ id: string, status: RunStatus, isTest: boolean, createdAt: string, workflow: { id: string, name: string } | null }> } };

export type PaletteRunsQueryVariables = Exact<{ [key: string]: never; }>;


export type PaletteRunsQuery = { runs: { items: Array<{ id: string, status: RunStatus, isTest: boolean, createdAt: string, workflow: { id: string, name: string } | null }> } };

export type RunOfPaletteFragment = { id: string, status: RunStatus, isTest: boolean, createdAt: string, workflow: { id: string, name: string } | null };

export const PaletteSearchDocument = "query PaletteSearch($search:String!){workflows(search:$search perPage:5){items{id name status}}integrations(search:$search perPage:5){items{id name type}}runs(search:$search perPage:5){items{...RunOfPalette}}}fragment RunOfPalette on Run{id status isTest createdAt workflow{id name}}" as unknown as DocumentNode<PaletteSearchQuery, PaletteSearchQueryVariables>;
export const PaletteRunsDocument = "query PaletteRuns{runs(perPage:50){items{...RunOfPalette}}}fragment RunOfPalette on Run{id status isTest createdAt workflow{id name}}" as unknown as DocumentNode<PaletteRunsQuery, PaletteRunsQueryVariables>;