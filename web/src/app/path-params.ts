/** An id in a path. An invalid id becomes 0, which no object has, so that the page shows "not found". */
export const readId = (text: string): number => (/^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0);

export const projectParams = {
  parse: ({ projectId }: { projectId: string }) => ({ projectId: readId(projectId) }),
  stringify: ({ projectId }: { projectId: number }) => ({ projectId: String(projectId) }),
};

export const taskParams = {
  parse: ({ taskId }: { taskId: string }) => ({ taskId: readId(taskId) }),
  stringify: ({ taskId }: { taskId: number }) => ({ taskId: String(taskId) }),
};

export const viewParams = {
  parse: ({ viewId }: { viewId: string }) => ({ viewId: readId(viewId) }),
  stringify: ({ viewId }: { viewId: number }) => ({ viewId: String(viewId) }),
};

export const templateParams = {
  parse: ({ templateId }: { templateId: string }) => ({ templateId: readId(templateId) }),
  stringify: ({ templateId }: { templateId: number }) => ({ templateId: String(templateId) }),
};

export const hostParams = {
  parse: ({ hostId }: { hostId: string }) => ({ hostId: readId(hostId) }),
  stringify: ({ hostId }: { hostId: number }) => ({ hostId: String(hostId) }),
};

export const repositoryParams = {
  parse: ({ repositoryId }: { repositoryId: string }) => ({ repositoryId: readId(repositoryId) }),
  stringify: ({ repositoryId }: { repositoryId: number }) => ({ repositoryId: String(repositoryId) }),
};

/** The id of a webhook, or `new`. */
export const webhookParams = {
  parse: ({ webhookId }: { webhookId: string }) => ({
    webhookId: webhookId === 'new' ? ('new' as const) : readId(webhookId),
  }),
  stringify: ({ webhookId }: { webhookId: number | 'new' }) => ({ webhookId: String(webhookId) }),
};

/** Path parameters of a template that is opened in a view. */
export const viewTemplateParams = {
  parse: (raw: { viewId: string; templateId: string }) => ({
    ...viewParams.parse(raw),
    ...templateParams.parse(raw),
  }),
  stringify: (ids: { viewId: number; templateId: number }) => ({
    ...viewParams.stringify(ids),
    ...templateParams.stringify(ids),
  }),
};
