import { useAllPages } from '../../../../ui/tables/use-all-pages.js';
import { AppTypesDocument, type AppTypesQuery } from './app-types.generated.js';

/** The applications of the catalog, and the one of this type if there is one. */
export function useAppTypes(type: string) {
  const { items, state } = useAllPages(AppTypesDocument, typesOf);
  return { items, state, chosen: items.find((item) => item.type === type) };
}

function typesOf({ integrationTypes }: AppTypesQuery): AppTypesQuery['integrationTypes'] {
  return integrationTypes;
}
