"""GitHub's limits: how many requests an hour, and how large a GraphQL query may be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import graphql
from graphql import FieldNode, FragmentSpreadNode, InlineFragmentNode

from fake_github.clock import stamp

if TYPE_CHECKING:
    from fake_github.clock import Clock

HOUR = 3600
MOST_NODES = 500_000
MOST_ITEMS = 100


@dataclass
class Budget:
    """What may be used within one hour of the clock: requests in REST, points in GraphQL. A test sets `limit`."""

    limit: int
    used: int = 0
    hour: int = 0

    def renew(self, clock: Clock) -> None:
        if clock.now // HOUR != self.hour:
            self.hour, self.used = clock.now // HOUR, 0

    @property
    def reset(self) -> int:
        return (self.hour + 1) * HOUR

    @property
    def remaining(self) -> int:
        return max(self.limit - self.used, 0)

    def told(self, clock: Clock) -> dict[str, int]:
        self.renew(clock)
        return {"limit": self.limit, "used": self.used, "remaining": self.remaining, "reset": self.reset}

    def headers(self, resource: str) -> dict[str, str]:
        told = {"Limit": self.limit, "Remaining": self.remaining, "Used": self.used, "Reset": self.reset}
        return {**{f"X-RateLimit-{name}": str(value) for name, value in told.items()}, "X-RateLimit-Resource": resource}


class TooMuch(Exception):
    """A query that GitHub does not run, with the type and the words of its error."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


@dataclass
class Size:
    """What GitHub counts of a query before running it."""

    nodes: int = 0
    requests: int = 0

    @property
    def cost(self) -> int:
        """In points: the requests that its connections would take, by the hundred, at least one."""
        return max((self.requests + 50) // 100, 1)


def size_of(schema: graphql.GraphQLSchema, document: graphql.DocumentNode, operation: Any, variables: Any) -> Size:
    """Count a valid operation's nodes as GitHub's page on limits does; TooMuch where one of its limits is passed."""
    counter = _Counter(schema, document, variables)
    root = schema.get_root_type(operation.operation)
    counter.count(operation.selection_set, root, 1)
    counter.size.requests += 1
    return counter.size


class _Counter:
    def __init__(self, schema: graphql.GraphQLSchema, document: graphql.DocumentNode, variables: Any) -> None:
        self.schema = schema
        self.variables = variables
        self.fragments = {
            each.name.value: each for each in document.definitions if isinstance(each, graphql.FragmentDefinitionNode)
        }
        self.size = Size()

    def count(self, selections: Any, parent: Any, times: int) -> None:
        """Add what the selections of one object ask for, which there are `times` of."""
        for selection in selections.selections:
            if isinstance(selection, FragmentSpreadNode):
                fragment = self.fragments[selection.name.value]
                self.count(fragment.selection_set, self._named(fragment.type_condition), times)
            elif isinstance(selection, InlineFragmentNode):
                inside = parent if selection.type_condition is None else self._named(selection.type_condition)
                self.count(selection.selection_set, inside, times)
            elif selection.selection_set and not selection.name.value.startswith("__"):
                self._count_field(selection, parent, times)

    def _named(self, condition: Any) -> Any:
        return self.schema.get_type(condition.name.value)

    def _count_field(self, selection: FieldNode, parent: Any, times: int) -> None:
        field = parent.fields[selection.name.value]
        kind = graphql.get_named_type(field.type)
        if kind.name.endswith("Connection"):
            self.size.requests += times
            times *= self._items(selection)
            self.size.nodes += times
            if self.size.nodes > MOST_NODES:
                raise TooMuch(
                    "MAX_NODE_LIMIT_EXCEEDED",
                    f"By the time this query traverses to the {selection.name.value} connection, it is requesting up "
                    f"to {self.size.nodes:,} possible nodes which exceeds the maximum limit of {MOST_NODES:,}.",
                )
        self.count(selection.selection_set, kind, times)

    def _items(self, selection: FieldNode) -> int:
        """How many items the connection is asked for."""
        name = selection.name.value
        given = {each.name.value: self._value(each.value) for each in selection.arguments or ()}
        bounds = {bound: given[bound] for bound in ("first", "last") if given.get(bound) is not None}
        if not bounds:
            raise TooMuch(
                "MISSING_PAGINATION_BOUNDARIES",
                f"You must provide a `first` or `last` value to properly paginate the `{name}` connection.",
            )
        for bound, value in bounds.items():
            if value > MOST_ITEMS:
                raise TooMuch(
                    "EXCESSIVE_PAGINATION",
                    f"Requesting {value} records on the `{name}` connection exceeds the `{bound}` limit "
                    f"of {MOST_ITEMS} records.",
                )
            if value < 0:
                raise TooMuch("INVALID_PAGINATION", f"`{bound}` on the `{name}` connection cannot be less than zero.")
        return int(min(bounds.values()))

    def _value(self, node: Any) -> Any:
        if isinstance(node, graphql.VariableNode):
            return self.variables.get(node.name.value)
        return graphql.value_from_ast_untyped(node)


def reset_at(budget: Budget) -> str:
    return stamp(budget.reset)
