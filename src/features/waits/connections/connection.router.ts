import { type Response, Router } from 'express';
import { sendPage } from '../../../platform/pages/page.js';
import { type ConnectForm } from '../../integrations/connect/connect-form.js';
import { connectedPage } from '../../integrations/connect/connect-session.pages.js';
import { type ConnectionPage, type ShownWait } from './connection-page.js';
import { connectionOverPage, notNeededYetPage, unknownWaitPage } from './connection.pages.js';

/** The dependencies of `waitConnectionRouter`. */
export interface WaitConnectionRouterOptions {
  connections: ConnectionPage;
  form: ConnectForm;
}

/** `/connect/waits/:token`: the page on which a person makes the connection that a run waits for. The token is the secret. */
export function waitConnectionRouter({ connections, form }: WaitConnectionRouterOptions): Router {
  const router = Router();

  router.get('/:token', async (request, response) => {
    const found = await connections.find(request.params.token, form.chosenIn(request));
    if (found?.kind === 'asked') return form.show(request, response, found.shown);
    sendState(response, found);
  });

  router.post('/:token', form.body, async (request, response) => {
    if (form.refuses(request, response)) return;
    const filled = form.filledIn(request);
    // A wait that ends between the two is found again in its new state.
    for (;;) {
      const found = await connections.find(request.params.token, filled);
      if (found?.kind !== 'asked') return sendState(response, found);
      const session = await connections.begin(found, filled);
      if (session !== undefined) return form.submit(request, response, session);
    }
  });

  return router;
}

function sendState(response: Response, found: Exclude<ShownWait, { kind: 'asked' }> | undefined): void {
  switch (found?.kind) {
    case undefined:
      return sendPage(response, 404, unknownWaitPage());
    case 'early':
      return sendPage(response, 200, notNeededYetPage());
    case 'connected':
      return sendPage(response, 200, connectedPage({ appName: found.appName }));
    case 'over':
      return sendPage(response, 410, connectionOverPage());
  }
}
