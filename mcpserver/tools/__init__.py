"""The twelve tools, in the order in which they are listed."""

from mcpserver.tool import Tool
from mcpserver.tools import answers, ask, city, entities, events, fetch, pulses, resolve, search, topics

TOOLS: tuple[Tool, ...] = (
    ask.TOOL,
    search.TOOL,
    fetch.TOOL,
    resolve.TOOL,
    entities.TOOL,
    topics.LIST,
    topics.GET,
    events.LIST,
    events.GET,
    pulses.TOOL,
    answers.TOOL,
    city.TOOL,
)
