import { Router } from 'express';
import { isCheckedText } from '../../api-keys/key-text.js';
import { sendPage } from '../../../platform/pages/page.js';
import { type ConnectForm } from './connect-form.js';
import { sessionExpiredPage } from './connect-session.pages.js';
import { type SessionPage } from './session-page.js';

/** The dependencies of `connectSessionRouter`. */
export interface SessionRouterOptions {
  page: SessionPage;
  form: ConnectForm;
}

/**
 * `/connect`: the page of a connect session. The start page of a flow has the same path; their tickets differ in form.
 */
export function connectSessionRouter({ page, form }: SessionRouterOptions): Router {
  const router = Router();

  router.get('/:session', async (request, response, next) => {
    if (!isCheckedText(request.params.session)) return next();
    const shown = await page.find(request.params.session, form.chosenIn(request));
    if (shown === undefined) return void sendPage(response, 404, sessionExpiredPage());
    form.show(request, response, shown);
  });

  router.post('/:session', form.body, async (request, response, next) => {
    if (!isCheckedText(request.params.session)) return next();
    if (form.refuses(request, response)) return;
    const shown = await page.find(request.params.session, form.filledIn(request));
    if (shown === undefined) return void sendPage(response, 404, sessionExpiredPage());
    await form.submit(request, response, shown);
  });

  return router;
}
