--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: _sqlx_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public._sqlx_migrations (
    version bigint NOT NULL,
    description text NOT NULL,
    installed_on timestamp with time zone DEFAULT now() NOT NULL,
    success boolean NOT NULL,
    checksum bytea NOT NULL,
    execution_time bigint NOT NULL
);


--
-- Name: calls; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.calls (
    id bigint NOT NULL,
    call_id uuid NOT NULL,
    visitor uuid,
    sample boolean DEFAULT false NOT NULL,
    kind text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    ended_reason text,
    note json,
    abuse_type text,
    messages json,
    urgency smallint DEFAULT 2 NOT NULL,
    CONSTRAINT calls_check CHECK (((ended_at IS NULL) = (ended_reason IS NULL))),
    CONSTRAINT calls_kind_check CHECK ((kind = ANY (ARRAY['webCall'::text, 'chat'::text]))),
    CONSTRAINT calls_urgency_check CHECK ((urgency = ANY (ARRAY[0, 1, 2])))
);


--
-- Name: TABLE calls; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.calls IS 'Nightlight: one row a call.';


--
-- Name: seeded; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.seeded (
    name text NOT NULL
);


--
-- Name: turns; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.turns (
    call bigint NOT NULL,
    turn bigint NOT NULL,
    messages json NOT NULL,
    conversation text NOT NULL,
    CONSTRAINT turns_turn_check CHECK ((turn >= 0))
);


--
-- Data for Name: _sqlx_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public._sqlx_migrations VALUES (1, 'calls', '2026-11-23 11:36:51.557179+00', true, '\x0c78852af5a3619d7b5305bba65894363912fa6b3f1e4a0eb553a98b5e6392c6ea1978eef71f2591933bb392dc3f9169', 8240998);


--
-- Data for Name: calls; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.calls VALUES (3, '47b18cd9-42f0-5b49-9275-dc2e0d8911b5', NULL, true, 'webCall', '2026-10-14 14:05:03+00', '2026-10-14 14:07:07+00', 'assistant-ended-call', '{"summaryTitle":"Caller wants somewhere to stay away from her mother-in-law","summary":"Caller says her mother-in-law has shouted at her and locked away her food for months, and that she wants a place to stay with her two-year-old son. She was calm and at a friend''s flat for the night, and said nobody had hit her. Continuing emotional abuse in the home, with shelter wanted for herself and a young child; there was no danger on the night. She agreed to share her case, and it was passed to a Family Service Centre by cold transfer.","structuredData":{"name":"Nurul","urgent":false,"location":"Kampong Cahaya, staying with a friend","follow_up":"Arrange shelter options for Nurul and her two-year-old son. Ring before four in the afternoon, when she is alone. Ask whether she needs help to fetch her documents from the flat.","abuse_type":"Emotional","transfer_to":"FSC","transferred":true,"latest_incident_date":"13 October 2026"},"evidence":[{"claim":"wish for shelter","words":"I need somewhere to stay, just me and my boy","turn":1,"confidence":0.96},{"claim":"emotional abuse","words":"She screams at me that I am useless","turn":1,"confidence":0.9},{"claim":"denies physical abuse","words":"She has never hit us","turn":1,"confidence":0.92}]}', NULL, '[{"role":"bot","message":"Hello, this is Nightlight. I''m an AI counsellor, and I''m here to listen. Before anything else, are you safe where you are right now?","secondsFromStart":1.1,"durationSeconds":9.03,"interrupted":false},{"role":"user","message":"Yes, I''m safe. I''m at my friend''s place tonight.","secondsFromStart":11.71,"durationSeconds":4.1,"interrupted":false},{"role":"bot","message":"I''m glad you have somewhere for tonight. What would you like to talk about?","secondsFromStart":18.93,"durationSeconds":5.39,"interrupted":false},{"role":"user","message":"My mother-in-law. She screams at me that I am useless and she locks up the food. She has never hit us. I need somewhere to stay, just me and my boy. He''s two.","secondsFromStart":26.05,"durationSeconds":12.88,"interrupted":false},{"role":"bot","message":"It takes strength to go on caring for your son through that. A Family Service Centre can help you both with a place to stay. Would it be all right if I shared your case with them?","secondsFromStart":42.04,"durationSeconds":13.75,"interrupted":false},{"role":"user","message":"Yes, can.","secondsFromStart":57.9,"durationSeconds":1.21,"interrupted":false},{"role":"bot","message":"[The middle of this fictional conversation is left out.]","secondsFromStart":62.22,"durationSeconds":29.21,"interrupted":false},{"role":"bot","message":"Thank you for telling me. A counsellor will reach out to you within the next working day, before four in the afternoon. Is there anything else you''d like to talk about?","secondsFromStart":94.58,"durationSeconds":11.57,"interrupted":false},{"role":"user","message":"No, that''s all. Thank you.","secondsFromStart":108.08,"durationSeconds":2.25,"interrupted":false},{"role":"bot","message":"You''ve reached the end of our demo. You''re always welcome to call again, even if it''s just to talk. Thank you for calling Nightlight, goodbye.","secondsFromStart":113.47,"durationSeconds":9.39,"interrupted":false}]', 0);
INSERT INTO public.calls VALUES (7, 'b0aea99b-c7c3-5f48-9114-2dddb1a929ce', NULL, true, 'webCall', '2026-11-02 15:12:44+00', '2026-11-02 15:14:48+00', 'assistant-ended-call', '{"summaryTitle":"Caller worn down by a partner''s insults and checking","summary":"Caller says their partner insults them every day, reads their messages and mocks them in front of friends. They were tired and guarded, safe at home with the partner asleep, and said there had been no violence. Continuing emotional and verbal abuse; the caller chose not to give an age or a name. They agreed to share the case without a name, and it was passed to the National Anti-Violence and Sexual Harassment Helpline by cold transfer.","structuredData":{"name":"requested anonymity","urgent":false,"location":"requested anonymity","follow_up":"Wait for the caller to ring the helpline, as no contact was left. Have the case ready under the date and time of this call. Do not ask for the age again.","abuse_type":"Emotional","transfer_to":"NAVH","transferred":true,"latest_incident_date":"2 November 2026"},"evidence":[{"claim":"emotional abuse","words":"Every day I''m stupid, I''m fat, nobody else would want me","turn":1,"confidence":0.93},{"claim":"denies physical abuse","words":"No, never hit me","turn":2,"confidence":0.9},{"claim":"refusal","words":"I''d rather not say my age","turn":3,"confidence":0.96}]}', 'Emotional & Verbal', '[{"role":"bot","message":"Hello, this is Nightlight. I''m an AI counsellor, and I''m here to listen. Before anything else, are you safe where you are right now?","secondsFromStart":1.1,"durationSeconds":9.03,"interrupted":false},{"role":"user","message":"Safe, yes. My partner''s asleep.","secondsFromStart":11.0,"durationSeconds":2.36,"interrupted":false},{"role":"bot","message":"Thank you. I''m listening. What would you like to tell me?","secondsFromStart":16.5,"durationSeconds":4.3,"interrupted":false},{"role":"user","message":"Every day I''m stupid, I''m fat, nobody else would want me. And now reading all my messages also.","secondsFromStart":22.36,"durationSeconds":8.3,"interrupted":false},{"role":"bot","message":"Words like that, day after day, wear a person down. It isn''t your fault. Has your partner ever hurt you physically?","secondsFromStart":33.78,"durationSeconds":7.94,"interrupted":false},{"role":"user","message":"No, never hit me. Just the words, and laughing at me in front of people. Tonight also.","secondsFromStart":43.23,"durationSeconds":7.89,"interrupted":false},{"role":"bot","message":"That still hurts, and it still counts. So that I can point you to the right people, may I ask how old you are?","secondsFromStart":54.22,"durationSeconds":9.03,"interrupted":false},{"role":"user","message":"I''d rather not say my age.","secondsFromStart":63.97,"durationSeconds":2.7,"interrupted":false},{"role":"bot","message":"That''s perfectly all right. The National Anti-Violence Helpline is open day and night for this. Would it be all right if I shared your case with them?","secondsFromStart":69.78,"durationSeconds":10.12,"interrupted":false},{"role":"user","message":"Okay, but no name, no address.","secondsFromStart":81.98,"durationSeconds":2.7,"interrupted":false},{"role":"bot","message":"No name and no address, then; I won''t ask for them again. A counsellor will be ready for you within the next working day, and you can ring them at any hour on 1800 777 0000. Is there anything else you''d like to talk about?","secondsFromStart":87.79,"durationSeconds":18.12,"interrupted":false},{"role":"user","message":"No. Thank you for not pushing.","secondsFromStart":107.64,"durationSeconds":2.85,"interrupted":false},{"role":"bot","message":"You''ve reached the end of our demo. You''re always welcome to call again, even if it''s just to talk. Thank you for calling Nightlight, goodbye.","secondsFromStart":113.64,"durationSeconds":9.39,"interrupted":false}]', 0);
INSERT INTO public.calls VALUES (11, '5eed0000-0000-4000-8000-000000000001', NULL, false, 'webCall', '2026-10-31 23:59:59.654321+00', NULL, NULL, NULL, NULL, NULL, 2);
INSERT INTO public.calls VALUES (12, '5eed0000-0000-4000-8000-000000000002', '5eed0000-0000-4000-8000-0000000000aa', false, 'webCall', '2026-10-31 23:59:59.654321+00', NULL, NULL, NULL, NULL, NULL, 2);
INSERT INTO public.calls VALUES (13, '5eed0000-0000-4000-8000-000000000003', '5eed0000-0000-4000-8000-0000000000aa', false, 'chat', '2026-10-31 23:59:59.654321+00', NULL, NULL, NULL, NULL, NULL, 2);
INSERT INTO public.calls VALUES (14, '5eed0000-0000-4000-8000-000000000004', '5eed0000-0000-4000-8000-0000000000aa', false, 'webCall', '2026-10-31 23:59:59.654321+00', '2026-11-01 00:01:22+00', 'assistant-forwarded-call', '{"summaryTitle":"Caller''s brother is at the door","summary":"Caller said \"he is back\". 帮帮我","structuredData":{"name":"Mei","urgent":true,"location":"Block 12","follow_up":"Ring back. Ask where she is","abuse_type":"Physical","transfer_to":"PAVE","transferred":true,"latest_incident_date":"31 October 2026"},"evidence":[{"claim":"violence now","words":"he is back","turn":0,"confidence":0.5,"escalates":true}]}', NULL, '[{"role":"user","message":"he is back","secondsFromStart":4.25,"durationSeconds":1.5,"interrupted":false},{"role":"system","message":"","secondsFromStart":4.25,"durationSeconds":1.5,"interrupted":false}]', 1);
INSERT INTO public.calls VALUES (15, '5eed0000-0000-4000-8000-000000000005', '5eed0000-0000-4000-8000-0000000000aa', false, 'chat', '2026-10-31 23:59:59.654321+00', '2026-11-01 00:01:22+00', 'silence-timed-out', '{"summaryTitle":"Caller''s brother is at the door","summary":"Caller said \"he is back\". 帮帮我","structuredData":{"name":"Mei","urgent":false,"location":"Block 12","follow_up":"Ring back. Ask where she is","abuse_type":"Other","transfer_to":"Not Applicable","transferred":false,"latest_incident_date":"31 October 2026"},"evidence":[]}', NULL, '[]', 0);
INSERT INTO public.calls VALUES (16, '5eed0000-0000-4000-8000-000000000006', '5eed0000-0000-4000-8000-0000000000aa', false, 'webCall', '2026-10-31 23:59:59.654321+00', '2026-11-01 00:01:22+00', 'assistant-forwarded-call', '{"summary": 1}', NULL, '[{"role":"user","message":"he is back","secondsFromStart":4.25,"durationSeconds":1.5,"interrupted":false},{"role":"system","message":"","secondsFromStart":4.25,"durationSeconds":1.5,"interrupted":false}]', 1);


--
-- Data for Name: seeded; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.seeded VALUES ('samples-1');


--
-- Data for Name: turns; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.turns VALUES (12, 0, '[{"role":"user","message":"nul \u0000 quote \" back\\slash 帮帮我 உதவி 🆘","secondsFromStart":4.25,"durationSeconds":1.5,"interrupted":false},{"role":"bot","message":"answer 0","secondsFromStart":4.25,"durationSeconds":1.5,"interrupted":true}]', '{"after":0}');
INSERT INTO public.turns VALUES (12, 1, '[{"role":"user","message":"nul \u0000 quote \" back\\slash 帮帮我 உதவி 🆘","secondsFromStart":4.25,"durationSeconds":1.5,"interrupted":false},{"role":"bot","message":"answer 1","secondsFromStart":4.25,"durationSeconds":1.5,"interrupted":true}]', '{"after":1}');
INSERT INTO public.turns VALUES (12, 2, '[{"role":"user","message":"nul \u0000 quote \" back\\slash 帮帮我 உதவி 🆘","secondsFromStart":4.25,"durationSeconds":1.5,"interrupted":false},{"role":"bot","message":"answer 2","secondsFromStart":4.25,"durationSeconds":1.5,"interrupted":true}]', '{"after":2}');
INSERT INTO public.turns VALUES (13, 0, '[{"role":"user","message":"nul \u0000 quote \" back\\slash 帮帮我 உதவி 🆘","secondsFromStart":4.25,"durationSeconds":1.5,"interrupted":false},{"role":"bot","message":"answer 0","secondsFromStart":4.25,"durationSeconds":1.5,"interrupted":true}]', '{"after":0}');


--
-- Name: _sqlx_migrations _sqlx_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public._sqlx_migrations
    ADD CONSTRAINT _sqlx_migrations_pkey PRIMARY KEY (version);


--
-- Name: calls calls_call_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.calls
    ADD CONSTRAINT calls_call_id_key UNIQUE (call_id);


--
-- Name: calls calls_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.calls
    ADD CONSTRAINT calls_pkey PRIMARY KEY (id);


--
-- Name: seeded seeded_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.seeded
    ADD CONSTRAINT seeded_pkey PRIMARY KEY (name);


--
-- Name: turns turns_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.turns
    ADD CONSTRAINT turns_pkey PRIMARY KEY (call, turn);


--
-- Name: calls_by_end; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX calls_by_end ON public.calls USING btree (ended_at) WHERE (ended_at IS NOT NULL);


--
-- Name: calls_by_urgency; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX calls_by_urgency ON public.calls USING btree (visitor, urgency, id);


--
-- Name: calls_by_visitor; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX calls_by_visitor ON public.calls USING btree (visitor, id);


--
-- Name: calls_running; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX calls_running ON public.calls USING btree (id) WHERE (ended_at IS NULL);


--
-- Name: samples; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX samples ON public.calls USING btree (urgency, id) WHERE sample;


--
-- Name: turns turns_call_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.turns
    ADD CONSTRAINT turns_call_fkey FOREIGN KEY (call) REFERENCES public.calls(id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--


