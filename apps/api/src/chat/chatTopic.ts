/** The topic of a session's message events. */
export const chatTopic = (organizationId: string, sessionId: string) => ({
  organizationId,
  topic: `chat:${sessionId}`,
});
