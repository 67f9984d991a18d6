"""Parameters that are coerced only where they need it, so that reading commands start fast (design section 12)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

if TYPE_CHECKING:
    from collections.abc import Callable


_TYPE = re.compile(r" <[\w\[\]]+>$")


class Option(TyperOption):
    """An option that is coerced only where it has to be."""

    def process_value(self, ctx: Any, value: Any) -> Any:
        """Return the value, coerced where it has to be."""
        return _coerced(self, ctx, value, super().process_value)


class Argument(TyperArgument):
    """An argument that is coerced only where it has to be, and whose type in Python is no business of players."""

    def get_help_record(self, ctx: Any) -> tuple[str, str] | None:
        """Return what the argument is called and what it does, without the type that typer puts between them."""
        told = super().get_help_record(ctx)
        return None if told is None else (_TYPE.sub("", told[0]), told[1])

    def process_value(self, ctx: Any, value: Any) -> Any:
        """Return the value, coerced where it has to be."""
        return _coerced(self, ctx, value, super().process_value)


def _coerced(param: Option | Argument, ctx: Any, value: Any, by_typer: Callable[[Any, Any], Any]) -> Any:
    """Return a value for a parameter: a default as it is, text as text, and what its own parser reads.

    To coerce them all the same, typer would load pydantic, which takes longer than to read a game.
    """
    if isinstance(value, str) and param.callback is None:
        parser = param.type_descriptor.parameter_info.parser
        if parser is not None:
            return _parsed(parser, param, ctx, value)
        if param.type_descriptor.annotation is str:
            return value
    return value if value is param.default and not param.required else by_typer(ctx, value)


def _parsed(parser: Callable[[str], Any], param: Option | Argument, ctx: Any, value: str) -> Any:
    try:
        return parser(value)
    except typer.BadParameter as error:
        raise typer.BadParameter(error.message, ctx=ctx, param=param) from None


class Command(TyperCommand):
    """A command whose every error in a call says which command it is about, and whose first sentence is never cut."""

    def get_short_help_str(self, limit: int = 0) -> str:
        """Return the first sentence of what the command does, whatever `limit` a list of commands would set it."""
        return super().get_short_help_str(limit=max(limit, _WHOLE))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Return what is left of the arguments. typer's own parser does not say where a value is missing."""
        try:
            return super().parse_args(ctx, args)
        except typer.TyperException as error:
            failed: Any = error
            failed.ctx = getattr(error, "ctx", None) or ctx
            raise


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
            command.__class__ = _CLASSES.get(type(command), type(command))
        return command


_WHOLE = 1_000
"""More characters than any command's first sentence has."""

_CLASSES: dict[type, type] = {TyperOption: Option, TyperArgument: Argument, TyperCommand: Command}


def _unhurried(params: list[Any]) -> list[Any]:
    for one in params:
        # typer makes its parameters itself and leaves no other way to say of which class.
        one.__class__ = _CLASSES.get(type(one), type(one))
    return params
