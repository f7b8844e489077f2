import { Select } from '@mantine/core';
import { inWords } from '../../ui/in-words.js';
import { useUrlValue } from '../../ui/tables/use-url-value.js';

/** A filter of the categories that the applications have, stored in the URL (`?category=`); the first choice is all. */
export function CategoryFilter({ types }: { types: readonly { category: string | null }[] }) {
  const [chosen, choose] = useCategory();
  const categories = new Set([...types.flatMap(({ category }) => category ?? []), ...(chosen === '' ? [] : [chosen])]);
  return (
    <Select
      aria-label="Category"
      data={[
        { value: '', label: 'All categories' },
        ...[...categories].sort().map((category) => ({ value: category, label: categoryLabel(category) })),
      ]}
      value={chosen}
      onChange={(value) => choose(value ?? '')}
    />
  );
}

/** The category in the URL; empty for all. */
export function useCategory() {
  return useUrlValue('category');
}

/** A category in words. */
export function categoryLabel(category: string): string {
  return category === 'ai' ? 'AI' : inWords(category);
}
