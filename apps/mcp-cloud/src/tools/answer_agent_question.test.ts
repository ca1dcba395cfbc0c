import { expect, inject, it } from "vitest";
import { call, connect } from "../testing/client";
import { asked, question, sessionWithHooks } from "../testing/hooks";
import { anyId, ask, newTenant } from "../testing/tool";

it("answers the question of a session that the key has started, over stdin and stdout", async () => {
  const ada = await newTenant();
  const { id, state, answers } = await sessionWithHooks(ada);
  const server = await connect({ API_URL: inject("apiUrl"), API_KEY: ada.apiKey });
  await state("working");
  const waiting = call(server, "wait_for_sessions", { sessionIds: [id], until: "attention" });
  const request = asked({
    kind: "question",
    tool: "AskUserQuestion",
    title: "Which color\u200b?",
    questions: [question("color"), question("size")],
  });
  await state("needs_answer", { detail: "Which color?", requests: [request] });
  expect((await waiting).data).toEqual({
    sessions: [
      {
        sessionId: id,
        status: "waiting_for_input",
        state: "needs_answer",
        source: "hook",
        since: expect.any(String),
        isReached: true,
      },
    ],
  });
  const { data } = await call(server, "get_agent_session", { sessionId: id });
  expect(data).toMatchObject({ status: "waiting_for_input", state: "needs_answer", source: "hook" });
  expect(data?.request).toEqual({
    id: request.id,
    kind: "question",
    isAnswerable: true,
    // A character that a reader would not see is marked.
    title: "Which color⟨ZWSP⟩?",
    questions: ["color", "size"].map((label) => ({
      question: `Which ${label}?`,
      multiSelect: false,
      options: [{ label: "A", description: "The first" }],
    })),
  });
  const given = { sessionId: id, answers: [["A"], ["As large as it gets"]] };
  expect((await call(server, "answer_agent_question", given)).data).toEqual({
    sessionId: id,
    requestId: request.id,
    delivery: "delivered",
  });
  const answer = { decision: "answer", answers: given.answers };
  expect(answers().map(({ params }) => params)).toEqual([{ sessionId: id, requestId: request.id, answer }]);
  const again = { requestId: request.id, answers: given.answers };
  expect((await call(server, "answer_agent_question", again)).text).toMatch(/^already_answered: /);
});

it("leaves permissions to a person, and names the place", async () => {
  const ada = await newTenant();
  const { id, state, answers } = await sessionWithHooks(ada);
  const request = asked();
  await state("needs_permission", { requests: [request] });
  for (const which of [{ sessionId: id }, { requestId: request.id }])
    expect((await ask(ada, "answer_agent_question", { ...which, answers: [["yes"]] })).text).toBe(
      "session_required: Only a person who is signed in grants or denies permission. A person can do it in Grove's console under Now.",
    );
  expect(answers()).toEqual([]);
});

it("refuses a session without a question, one with several, and answers that do not fit", async () => {
  const ada = await newTenant();
  const { id, state, answers } = await sessionWithHooks(ada);
  const refusal = async (which: object, given = [["A"]]) =>
    (await ask(ada, "answer_agent_question", { ...which, answers: given })).text;
  expect(await refusal({})).toMatch(/^invalid_input: Neither sessionId nor requestId is given\./);
  expect(await refusal({ requestId: anyId })).toMatch(/^not_found: There is no agent request/);
  await state("working");
  expect(await refusal({ sessionId: id })).toMatch(/^no_question: /);
  const both = ["color", "size"].map((label) =>
    asked({ kind: "question", title: `Which ${label}?`, questions: [question(label)] }),
  );
  await state("needs_answer", { requests: both });
  const several = await refusal({ sessionId: id });
  expect(several).toMatch(/^several_questions: /);
  for (const { id } of both) expect(several).toContain(id);
  expect(await refusal({ requestId: both[0]?.id }, [["A"], ["B"]])).toMatch(/^answer_mismatch: /);
  expect(answers()).toEqual([]);
});
