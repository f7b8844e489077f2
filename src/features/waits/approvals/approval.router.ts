import { type Request, type Response, Router, urlencoded } from 'express';
import { isForeignForm } from '../../../platform/http/inbound/same-origin.js';
import { errorPage, foreignFormPage } from '../../integrations/connect/oauth.pages.js';
import { sendPage } from '../../../platform/pages/page.js';
import { textFault } from '../../../platform/validation.js';
import { MAX_COMMENT } from '../wait.inputs.js';
import { type ApprovalPageService, type ShownApproval } from './approval-page.js';
import { approvalOverPage, approvalPage, decidedPage } from './approval.pages.js';

/** The dependencies of `approvalRouter`. */
export interface ApprovalRouterOptions {
  approvals: ApprovalPageService;
  baseUrl: string;
}

const DECISIONS = new Set(['approved', 'denied']);

/** `/approvals/:token`: a page that shows what is asked, and the form that decides it. The token is the secret. */
export function approvalRouter({ approvals, baseUrl }: ApprovalRouterOptions): Router {
  const router = Router();
  const { origin } = new URL(baseUrl);

  router.get('/:token', async (request, response) => {
    send(response, await approvals.find(request.params.token));
  });

  router.post('/:token', urlencoded({ extended: false, limit: '64kb' }), async (request, response) => {
    if (isForeignForm(request, origin)) return void sendPage(response, 403, foreignFormPage());
    const { decision, comment } = fieldsOf(request);
    const shown = await approvals.find(request.params.token);
    if (shown === undefined || shown.kind !== 'asked') return send(response, shown);
    if (!DECISIONS.has(decision)) return send(response, shown, 'Choose Approve or Deny.');
    const fault = textFault(comment, 0, MAX_COMMENT);
    if (fault !== undefined) return send(response, shown, `Comment: ${fault}.`);
    const after = await approvals.decide(shown, decision as 'approved' | 'denied', comment === '' ? null : comment);
    send(response, after);
  });

  return router;
}

function send(response: Response, shown: ShownApproval | undefined, notice?: string): void {
  if (shown === undefined) return sendPage(response, 404, unknownPage());
  switch (shown.kind) {
    case 'asked':
      return sendPage(response, notice === undefined ? 200 : 400, approvalPage(shown.asked, notice));
    case 'decided':
      return sendPage(response, 200, decidedPage(shown.decided, shown.isNew));
    case 'over':
      return sendPage(response, 410, approvalOverPage());
  }
}

function unknownPage(): string {
  return errorPage({
    title: 'This link is not valid',
    detail: 'It was not copied completely, or its run is no longer stored. Ask the sender for a new one.',
  });
}

function fieldsOf(request: Request): { decision: string; comment: string } {
  const { decision, comment } = (request.body ?? {}) as Record<string, unknown>;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  // Browsers send line breaks of a form as CRLF.
  return { decision: text(decision), comment: text(comment).replaceAll('\r\n', '\n').trim() };
}
