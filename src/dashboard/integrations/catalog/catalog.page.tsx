import { Skeleton } from '@mantine/core';
import { IconSearchOff } from '@tabler/icons-react';
import { type ReactNode } from 'react';
import { useQuery } from 'urql';
import { EmptyState } from '../../ui/pages/empty-state.js';
import { ErrorState } from '../../ui/pages/error-state.js';
import { FilterBar } from '../../ui/tables/filter-bar.js';
import { PageHeader } from '../../ui/pages/page-header.js';
import { SearchField } from '../../ui/tables/search-field.js';
import { useUrlValue } from '../../ui/tables/use-url-value.js';
import { CatalogCard } from './catalog-card.js';
import { CatalogDocument, type CatalogQuery } from '../catalog.generated.js';
import classes from './catalog.module.css';

type Types = CatalogQuery['integrationTypes']['items'];

/** `/integrations/new`: all applications; those that can be connected at once come first. */
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
      </FilterBar>
      {data !== undefined ? (
        <Found {...data.integrationTypes} />
      ) : error !== undefined ? (
        <ErrorState error={error} onRetry={() => reload({ requestPolicy: 'network-only' })} />
      ) : (
        <Loading />
      )}
    </>
  );
}

function Found({ items, meta }: { items: Types; meta: { total: number } }) {
  const ready = items.filter(({ configured }) => configured);
  const others = items.filter(({ configured }) => !configured);
  return (
    <>
      <p className={classes.count} role="status">
        {meta.total === 1 ? '1 application' : `${meta.total} applications`}
        {meta.total > items.length && `, the first ${items.length} shown: search for the others`}
      </p>
      {items.length === 0 && (
        <EmptyState icon={IconSearchOff} title="No application matches">
          The operator can add any OAuth 2 or API key application in the service’s APPS_FILE.
        </EmptyState>
      )}
      <Group title="Ready to connect" types={ready} />
      <Group title="Needs a client id" types={others}>
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
