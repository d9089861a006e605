// A receiver of webhooks, which prints what comes:
//
//   WEBHOOK_SECRET=whsec_... PORT=4000 node examples/webhooks/receiver.mjs
import { receive } from './receive.mjs';

/** Here your own work begins. */
receive(({ type, timestamp, data }) => console.log(timestamp, type, JSON.stringify(data)));
