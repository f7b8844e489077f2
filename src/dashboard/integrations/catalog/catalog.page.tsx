import { Skeleton } from '@mantine/core';
import { type ReactNode } from 'react';
import { useQuery } from 'urql';
import { EmptyState } from '../../ui/pages/empty-state.js';
import { ErrorState } from '../../ui/pages/error-state.js';
import { FilterBar } from '../../ui/tables/filter-bar.js';
import { PageHeader } from '../../ui/pages/page-header.js';
import { SearchField } from '../../ui/tables/search-field.js';
import { useUrlValue } from '../../ui/tables/use-url-value.js';
import { CategoryFilter, useCategory } from './category-filter.js';
import { CatalogCard } from './catalog-card.js';
import { CatalogDocument, type CatalogQuery } from '../catalog.generated.js';
import { IconSearchOff } from '../../ui/icons/icons.js';
import classes from './catalog.module.css';

type Types = CatalogQuery['integrationTypes']['items'];

/** `/integrations/new`: all applications; those in use come first, then those that can be connected at once. */
export function CatalogPage() {
  const [search] = useUrlValue('search');
  const [{ data, error }, reload] = useQuery({ query: CatalogDocument, variables: { search: search || undefined } });
  return (
    <>
      <PageHeader
        title="Connect an application"
        lead="Workflows can then react to its events and call it. Its credentials are stored here, encrypted."
        trail={[{ to: '/integrations', label: 'Connections' }]}
      />
      <FilterBar>
        <SearchField label="Search applications" />
        <CategoryFilter types={data?.integrationTypes.items ?? []} />
      </FilterBar>
      {data !== undefined ? (
        <Found types={data.integrationTypes.items} meta={data.integrationTypes.meta} />
      ) : error !== undefined ? (
        <ErrorState error={error} onRetry={() => reload({ requestPolicy: 'network-only' })} />
      ) : (
        <Loading />
      )}
    </>
  );
}

function Found({ types, meta }: { types: Types; meta: { total: number } }) {
  const [category] = useCategory();
  const items = types.filter((type) => category === '' || type.category === category);
  const used = items.filter(({ inUse }) => inUse);
  const others = items.filter(({ inUse }) => !inUse);
  return (
    <>
      <p className={classes.count} role="status">
        {items.length === 1 ? '1 application' : `${items.length} applications`}
        {meta.total > types.length && ` of the first ${types.length}: search for the others`}
      </p>
      {items.length === 0 && (
        <EmptyState icon={IconSearchOff} title="No application matches">
          The operator can add any OAuth 2 or API key application in the service’s APPS_FILE.
        </EmptyState>
      )}
      <Group title="In use" types={used} />
      <Group title="Ready to connect" types={others.filter(({ configured }) => configured)} />
      <Group title="Needs a client id" types={others.filter(({ configured }) => !configured)}>
        These connect by OAuth. The operator must first register the service with them; each card names the settings.
      </Group>
    </>
  );
}

function Group({ title, types, children }: { title: string; types: Types; children?: ReactNode }) {
  if (types.length === 0) return null;
  return (
    <section className={classes.group} aria-label={title}>
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      <ul className={classes.grid}>
        {types.map((type) => (
          <li key={type.type}>
            <CatalogCard type={type} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Loading() {
  return (
    <div className={classes.group} aria-hidden>
      <Skeleton height={16} width={130} mb={44} />
      <div className={classes.grid}>
        {Array.from({ length: 18 }, (_, index) => (
          <Skeleton key={index} height={64} radius="lg" />
        ))}
      </div>
    </div>
  );
}
