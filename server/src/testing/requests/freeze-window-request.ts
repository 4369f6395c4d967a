import { type MakeRequest, made } from './request.ts';

/** A window of the past would be refused, and one of now would refuse the tasks of other requests. */
const body = (name: string) => ({
  name,
  reason: 'Year end',
  starts_at: '2100-01-01T00:00:00Z',
  ends_at: '2100-01-02T00:00:00Z',
});

export const newFreezeWindow: MakeRequest = (_deps, name) => ({ body: body(name) });

export const freezeWindow = async ({ admin, sample }: Parameters<MakeRequest>[0], name: string) => ({
  params: {
    freeze_window_id: await made(admin, `${sample.base}/freeze_windows`, {
      ...body(name),
      template_id: await sample.template(),
    }),
  },
});
