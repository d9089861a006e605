import createClient from 'openapi-fetch';
import type { paths } from '../.cache/rest.js';
import { authorized } from '../.cache/session.js';
import { playsWith } from './side.js';

/** openapi-fetch with the types of openapi-typescript, and EventSource with tickets. */

const api = createClient<paths>({ baseUrl: URL_OF_API, fetch: (request) => authorized(request) });

playsWith({
  watch(id, shown) {
    const params = { path: { id } };
    let last = '';
    const look = async (): Promise<void> => {
      const { data } = await api.GET('/v1/games/{id}', { params });
      if (data) shown(data);
    };
    const follow = async (): Promise<void> => {
      const { data } = await api.POST('/v1/stream-tickets', {});
      const query = new URLSearchParams({ ticket: data!.ticket, ...(last === '' ? {} : { after: last }) });
      const events = new EventSource(`${URL_OF_API}/v1/me/events?${query}`);
      const heard = ({ lastEventId }: MessageEvent): void => {
        last = lastEventId;
        void look().catch(() => undefined);
      };
      events.addEventListener('ready', heard);
      events.addEventListener('message', heard);
      events.addEventListener('error', () => {
        if (events.readyState === EventSource.CLOSED) setTimeout(again, 1000);
      });
    };
    const again = (): void => void follow().catch(() => setTimeout(again, 1000));
    again();
  },
  async play(id, ply, move) {
    const { error } = await api.POST('/v1/games/{id}/moves', {
      params: { path: { id } },
      body: { ply, move },
    });
    if (error) throw new Error(error.detail);
  },
});
