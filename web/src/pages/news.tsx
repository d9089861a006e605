import { ForPersons } from './for-persons.js';
import { NewsList } from './news-list.js';
import { NewsSettings } from './news-settings.js';

/** What has happened in one's games, and what one is told of it elsewhere. */
export function News() {
  return (
    <ForPersons>
      <NewsList />
      <NewsSettings />
    </ForPersons>
  );
}
