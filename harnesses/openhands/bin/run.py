"""One task, headless: OpenHands' own agent with the tools of its terminal, each event a JSON line on stdout.

run.py --version; run.py FILE MODEL with LLM_BASE_URL and LLM_API_KEY. Exit code 0: the agent finished. 1: it did not.
"""

import json
import os
import sys
from pathlib import Path

BUNDLE = Path(__file__).resolve().parent.parent
sys.path.append(str(BUNDLE / "site-packages"))

# Read while the packages are loaded: no banner, no log but errors, no price list from the network.
os.environ.setdefault("OPENHANDS_SUPPRESS_BANNER", "1")
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
os.environ.setdefault("LOG_LEVEL", "ERROR")


def write_line(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def make_conversation(model: str):
    from openhands.sdk import LLM, AgentContext, Conversation
    from openhands.tools.preset.default import get_default_agent

    llm = LLM(
        # LiteLLM's name for whatever speaks Chat Completions.
        model=f"openai/{model}",
        api_mode="chat",
        # The provider's own. With any other LiteLLM goes over to Responses for some names.
        reasoning_effort=None,
        base_url=os.environ["LLM_BASE_URL"],
        api_key=os.environ["LLM_API_KEY"],
        # Waits between tries: 1 s, 2 s, 4 s ...; standard: 8 s and more, at most 64 s.
        num_retries=int(os.environ.get("LLM_NUM_RETRIES", "5")),
        retry_min_wait=1,
        retry_max_wait=16,
        retry_multiplier=1,
        timeout=300,
    )
    context = AgentContext(
        load_user_skills=True,
        load_project_skills=True,
        # They are cloned from a code host: other ones every day.
        load_public_skills=False,
        system_message_suffix=f"You work in the folder {os.getcwd()}.",
    )
    # Terminal mode: no browser.
    agent = get_default_agent(llm, cli_mode=True).model_copy(update={"agent_context": context})
    return Conversation(
        agent,
        workspace=os.getcwd(),
        persistence_dir=Path.home() / ".openhands" / "conversations",
        callbacks=[lambda event: write_line(event.model_dump_json())],
        visualizer=None,
        delete_on_close=False,
    )


def run(file: str, model: str) -> int:
    from openhands.sdk import __version__

    write_line(json.dumps({"kind": "RunStarted", "version": __version__, "model": model}))
    error = None
    conversation = make_conversation(model)
    try:
        conversation.send_message(Path(file).read_text(encoding="utf-8"))
        conversation.run()
    except Exception as failure:
        error = f"{type(failure).__name__}: {failure}"
    status = conversation.state.execution_status.value
    usage = conversation.conversation_stats.get_combined_metrics().accumulated_token_usage
    end = {"kind": "RunEnded", "status": status, "error": error, "usage": usage and usage.model_dump()}
    write_line(json.dumps(end))
    return 0 if status == "finished" else 1


def main() -> int:
    if sys.argv[1:] == ["--version"]:
        from importlib.metadata import version

        write_line(version("openhands-sdk"))
        return 0
    return run(sys.argv[1], sys.argv[2])


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    # Threads of a command that is still running would be waited for.
    os._exit(code)
