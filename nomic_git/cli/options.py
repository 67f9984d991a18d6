"""Options that are coerced only where they need it, so that reading commands start fast (design section 12)."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup, TyperOption


class Option(TyperOption):
    """An option that keeps its default as it is, and text as text.

    To coerce them all the same, typer would load pydantic, which takes longer than to read a game.
    """

    def process_value(self, ctx: Any, value: Any) -> Any:
        """Return the value, coerced where it has to be."""
        is_text = self.type_descriptor.annotation is str and isinstance(value, str) and self.callback is None
        return value if is_text or value is self.default else super().process_value(ctx, value)


class Commands(TyperGroup):
    """Commands with such options, and the options that stand before them."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options that stand before the command."""
        return _unhurried(super().get_params(ctx))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of a name, None where there is none."""
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            _unhurried(command.get_params(ctx))
        return command


def _unhurried(params: list[Any]) -> list[Any]:
    for one in params:
        # typer makes its options itself and leaves no other way to say of which class.
        if type(one) is TyperOption:
            one.__class__ = Option
    return params
